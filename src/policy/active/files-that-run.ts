/** Which files run, or open as a page, when a link to them is clicked or a plugin loads them. */

/** Pages, and styles and scripts that Obsidian or its plugins load. */
const LOADED =
  'js mjs cjs jsx ts mts cts tsx html htm shtml xhtml xht mhtml mht svg svgz css xml xsl xslt';

/** Programs, scripts, installers, and shortcuts to them, by system. */
const WINDOWS = `ade adp ahk a3x application appref-ms appx appxbundle au3 bas bat chm cmd com cpl crt csh diagcab dll
   exe fxp gadget grp hlp hta inf ins iqy isp its job jar jse ksh library-ms lnk mad maf mag mam maq mar mas mat mau mav
   maw mcf mda mdb mde mdt mdw mdz msc msh msi msix msixbundle msp mst ops osd oqy pcd pif pl plg prf prg ps1 ps1xml ps2
   ps2xml psc1 psc2 psd1 psm1 pst pyz pyzw rdp reg rgs rqy scf scr sct search-ms searchconnector-ms settingcontent-ms
   shb shs slk theme themepack udl url vb vbe vbp vbs vbscript vhd vhdx vsmacros vsw vxd website wll ws wsc wsf wsh
   xbap xla xlam xll xnk docm dotm potm ppam ppsm pptm sldm xlsb xlsm xltm iso img`;
const MAC = `action afploc app applescript bundle command dmg fileloc ftploc inetloc kext mailloc mobileconfig mpkg osx
   pkg plugin prefpane safariextz scpt scptd service shortcut term terminal tool vncloc webloc workflow`;
const LINUX = `appimage automount bin deb desktop flatpak flatpakref flatpakrepo kdelnk mount out path pyc rpm run service
   snap so socket timer`;
const SCRIPTS = `awk bash bsh clj coffee elv elf ex exs fish groovy gradle jnlp kts lua nu php php3 php4 php5 phps phtml py
   pyw r raku rb rbw rs scala sed sh tcl tk wish xsh zsh`;

const ENDINGS: ReadonlySet<string> = new Set(
  [LOADED, WINDOWS, MAC, LINUX, SCRIPTS].join(' ').trim().split(/\s+/),
);

export function mayRun(path: string): boolean {
  // Windows ignores blanks and dots at the end of a name.
  const extension = /\.([^./\s]+)[\s.]*$/.exec(path)?.[1] ?? '';
  return ENDINGS.has(extension.toLowerCase());
}
