/**
 * Schemes that a browser, an operating system or a common program acts on itself: run, read, wrap or open something. A redirect there
 * would hand the code to that, so no app may register one. From IANA's registry and the sources of the browsers.
 */
export const takenSchemes: ReadonlySet<string> = new Set(
  `
    about acap afp aim android-app app-settings applewebdata bitcoin blob brave cached-favicon callto chrome
    chrome-distiller chrome-error chrome-extension chrome-native chrome-search chrome-untrusted cid content data
    devtools dns edge facetime feed file filesystem ftp ftps geo gopher intent irc isolated-app itms itms-apps
    itms-services jar javascript ldap ldaps livescript magnet mailto maps market mhtml microsoft-edge mms mocha
    moz-anno moz-extension moz-icon moz-page-thumb moz-safe-about ms-access ms-appinstaller ms-appx
    ms-browser-extension ms-excel ms-gamebar ms-infopath ms-msdt ms-officecmd ms-powerpoint ms-project ms-publisher
    ms-search ms-settings ms-visio ms-windows-store ms-word msteams news nfs nntp onedrive opera otpauth prefs rdp
    resource rtsp rtsps safari-extension safari-web-extension search search-ms shell shortcuts sip sips skype slack
    smb sms ssh steam tel telnet urn vbscript view-source vivaldi vnc vscode wais webcal webkit ws wss wyciwyg x-apple
    x-web-search xmpp ymsgr zoommtg
  `
    .trim()
    .split(/\s+/),
);
